// The experiment's files, over HTTP. An ETag says which text of a file is meant, so that nobody's changes are lost.

/** A file was changed by somebody else after it was read. `content` is what it holds now: {text, etag}; null: it is gone. */
export class Conflict extends Error {
  constructor(name, content) {
    super(`${name} was ${content ? "changed" : "removed"} on disk since it was opened here`);
    this.content = content;
  }
}

function addressOf(name) {
  return new URL(`files/${name.split("/").map(encodeURIComponent).join("/")}`, document.baseURI);
}

async function reasonOf(answer) {
  const text = (await answer.text()).trim();
  return text || `the server answered ${answer.status}`;
}

async function request(name, options) {
  try {
    return await fetch(addressOf(name), { cache: "no-store", ...options });
  } catch {
    throw new Error(`${name}: the server does not answer. Is pybuzz view still running?`);
  }
}

async function contentOf(answer) {
  return { text: await answer.text(), etag: answer.headers.get("ETag") };
}

/** @returns {Promise<{text: string, etag: string}>} */
export async function readFile(name) {
  const answer = await request(name, {});
  if (!answer.ok) throw new Error(`${name} cannot be read: ${await reasonOf(answer)}`);
  return contentOf(answer);
}

/**
 * Writes a file that still holds what it did at `etag`; null: that does not exist.
 * @returns {Promise<string>} its new ETag
 */
export async function writeFile(name, text, etag) {
  const headers = { "Content-Type": "text/plain; charset=utf-8" };
  if (etag === null) headers["If-None-Match"] = "*";
  else headers["If-Match"] = etag;
  const answer = await request(name, { method: "PUT", body: text, headers });
  if (answer.status === 409) throw new Conflict(name, answer.headers.has("ETag") ? await contentOf(answer) : null);
  if (!answer.ok) throw new Error(`${name} is not saved: ${await reasonOf(answer)}`);
  return answer.headers.get("ETag");
}
