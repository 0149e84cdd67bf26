// The experiment's files, over HTTP. An ETag says which text of a file is meant, so that nobody's changes are lost.

/** A file was changed by somebody else after it was read: `text` and `etag` are what it holds now. */
export class Conflict extends Error {
  constructor(name, text, etag) {
    super(`${name} was changed on disk since it was opened here`);
    this.text = text;
    this.etag = etag;
  }
}

function addressOf(name) {
  return new URL(`files/${name.split("/").map(encodeURIComponent).join("/")}`, document.baseURI);
}

async function reasonOf(answer) {
  const text = (await answer.text()).trim();
  return text || `the server answered ${answer.status}`;
}

/** @returns {Promise<{text: string, etag: string}>} */
export async function readFile(name) {
  const answer = await fetch(addressOf(name), { cache: "no-store" });
  if (!answer.ok) throw new Error(`${name} cannot be read: ${await reasonOf(answer)}`);
  return { text: await answer.text(), etag: answer.headers.get("ETag") ?? "" };
}

/**
 * Writes a file that still is what it was at `etag`.
 * @returns {Promise<string>} its new ETag
 */
export async function writeFile(name, text, etag) {
  const headers = { "Content-Type": "text/plain; charset=utf-8", "If-Match": etag };
  const answer = await fetch(addressOf(name), { method: "PUT", body: text, headers });
  if (answer.status === 409) throw new Conflict(name, await answer.text(), answer.headers.get("ETag") ?? "");
  if (!answer.ok) throw new Error(`${name} is not saved: ${await reasonOf(answer)}`);
  return answer.headers.get("ETag") ?? "";
}
