"""One file a format. Each names itself (`NAME`), knows its own kind (`recognises`) and reads documents (`read`)."""
