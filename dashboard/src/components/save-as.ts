/** The content stays available this long: a browser may read it some time after the click. */
const KEPT_MS = 60_000;

/** Makes the browser download the content as a file. */
export function saveAs(fileName: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = Object.assign(document.createElement('a'), { href: url, download: fileName });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}
