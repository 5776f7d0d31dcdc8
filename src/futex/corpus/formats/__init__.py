"""One file a format. Each names itself (`NAME`), knows its own first bytes (`recognises`), reads documents (`read`)."""
