/**
 * Lets a function that imports files be called again. Browsers keep a failed import: each later one of the same file
 * fails without a request (https://html.spec.whatwg.org/#fetch-a-single-module-script). So the page is reloaded if an
 * attempt after the first fails although the file is there by now; the browser asks about unsaved changes.
 */
export function reloadIfKept<T>(load: () => Promise<T>): () => Promise<T> {
  let hasFailed = false;
  return async () => {
    try {
      return await load();
    } catch (error) {
      if (hasFailed && (await isThere(error as Error))) window.location.reload();
      hasFailed = true;
      throw error;
    }
  };
}

/** Whether the file of a failed import can be loaded by now. Its URL is taken from the error message of the browser. */
async function isThere({ message }: Error): Promise<boolean> {
  const url = /https?:\S+/.exec(message)?.[0];
  if (url === undefined) return false;
  return fetch(url, { method: 'HEAD', cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );
}
