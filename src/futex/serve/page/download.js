// A link cannot send the service's key; then the file is fetched first and saved from here.

import * as api from "./api.js";
import { make } from "./elements.js";

export async function download(event) {
  if (!api.hasKey()) return;
  event.preventDefault();
  const { href, pathname, download: name } = event.currentTarget;
  const url = URL.createObjectURL(await (await api.send(href)).blob());
  make("a", { href: url, download: name || pathname.slice(1) }).click();
  URL.revokeObjectURL(url);
}
