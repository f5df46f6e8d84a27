// Requests to the judge, which computes the answers.

// Sends a request, and returns the answer as text. Throws an error whose message can be shown.
async function send(name, body, signal) {
  let response;
  try {
    response = await fetch(`api/${name}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
      signal,
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Error("The judge does not answer. Is judge web still running?");
  }
  const text = await response.text();
  if (response.ok) return text;
  const message = text.trim();
  const error = new Error(message.charAt(0).toUpperCase() + message.slice(1) + (/[.!?]$/.test(message) ? "" : "."));
  // Status 503 without "retry-after" means that the answer needs too much time or memory, not that the server is busy.
  error.isOutOfReach = response.status === 503 && !response.headers.has("retry-after");
  throw error;
}

export async function ask(name, request, signal) {
  return JSON.parse(await send(name, JSON.stringify(request), signal));
}

// Returns the answer to a request whose body is given as text or as a file, such as a transcript.
export async function askRaw(name, body) {
  return JSON.parse(await send(name, body));
}

export async function askText(name, request) {
  return send(name, JSON.stringify(request));
}

// Sends one request at a time: a new request cancels the previous one.
export class Latest {
  constructor() {
    this.controller = null;
  }

  // Returns the answer; undefined if a newer request has cancelled this request.
  async ask(name, request) {
    this.controller?.abort();
    const controller = new AbortController();
    this.controller = controller;
    try {
      const answer = await ask(name, request, controller.signal);
      return controller.signal.aborted ? undefined : answer;
    } catch (error) {
      if (controller.signal.aborted) return undefined;
      throw error;
    } finally {
      if (this.controller === controller) this.controller = null;
    }
  }
}

// Lets the browser save a text as a file.
export function saveFile(name, kind, text) {
  const address = URL.createObjectURL(new Blob([text], { type: kind }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}
