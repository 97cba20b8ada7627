const ACTIVE_ELEMENTS = 'script, link, meta, base, iframe, frame, object, embed, video, audio, source, image, use';
const RESOURCE_ATTRIBUTES = ['src', 'srcset', 'background', 'poster', 'data'];
/** Removed so that links follow the <base> and cannot replace the mail in its frame. */
const LINK_ATTRIBUTES = ['target', 'ping'];
const DATA_URL = /^\s*["']?data:/i;

/** The images that are part of a mail, as `data:` URLs by content id. Null shows no images at all. */
export type MailImages = ReadonlyMap<string, string> | null;

/** The mail as in the dark or light mode of a mail client, whatever the system prefers. */
export type ColourScheme = 'light' | 'dark';

const PREFERENCE = /\(\s*prefers-color-scheme\s*:\s*(dark|light)\s*\)/gi;

/** A media feature that always or never applies. */
const preferring = (wanted: string, actual: ColourScheme): string =>
  wanted.toLowerCase() === actual ? '(min-width: 0)' : '(max-width: 0)';

/**
 * Removes the parts of a mail's HTML that its frame would block anyway, so that no blocked attempts are logged. Style
 * sheets get the page's nonce, without which they would be ignored. Not a security boundary: the sandboxed frame is.
 */
export function inertMail(
  html: string,
  {
    nonce,
    policy,
    images,
    colourScheme,
  }: { nonce: string; policy: string; images: MailImages; colourScheme: ColourScheme },
): string {
  const mail = parse(
    html.replace(PREFERENCE, (_, wanted: string) => preferring(wanted, colourScheme)),
    nonce,
  );
  for (const element of mail.querySelectorAll(ACTIVE_ELEMENTS)) element.remove();
  if (images) for (const image of mail.querySelectorAll('img[src^="cid:"]')) showInline(image, images);
  for (const element of mail.querySelectorAll('*')) {
    for (const name of RESOURCE_ATTRIBUTES)
      if (!images || !element.getAttribute(name)?.startsWith('data:')) element.removeAttribute(name);
    for (const { name } of [...element.attributes])
      if (name.startsWith('on') || LINK_ATTRIBUTES.includes(name)) element.removeAttribute(name);
    const style = element.getAttribute('style');
    if (style) element.setAttribute('style', withoutUrls(style, images !== null));
  }
  for (const sheet of mail.querySelectorAll('style'))
    sheet.textContent = withoutUrls(sheet.textContent, images !== null);
  mail.head.prepend(
    element(mail, 'meta', { 'http-equiv': 'Content-Security-Policy', content: policy }),
    element(mail, 'base', { target: '_blank' }),
    ...(colourScheme === 'dark' ? [element(mail, 'meta', { name: 'color-scheme', content: 'dark' })] : []),
  );
  return `<!doctype html>${mail.documentElement.outerHTML}`;
}

function showInline(image: Element, images: ReadonlyMap<string, string>): void {
  const id = (image.getAttribute('src') ?? '').slice('cid:'.length);
  const url = images.get(id);
  if (url !== undefined) image.setAttribute('src', url);
}

/** Runs in linear time even if many `url(` are unclosed. */
function withoutUrls(style: string, isDataKept: boolean): string {
  const [before = '', ...urls] = style.replace(/@import[^;]*;?/gi, 'none').split(/url\(/i);
  const replaced = urls.map((url) => {
    if (isDataKept && DATA_URL.test(url)) return `url(${url}`;
    const end = url.indexOf(')');
    return end === -1 ? 'none' : `none${url.slice(end + 1)}`;
  });
  return [before, ...replaced].join('');
}

/** The policy of the page applies to the style sheets of a parsed document, too: hence the nonce. */
function parse(html: string, nonce: string): Document {
  const admitted = html.replace(/<style\b/gi, `<style nonce="${nonce}"`);
  return new DOMParser().parseFromString(admitted, 'text/html');
}

/** The number of images that the mail would load from elsewhere. */
export function countRemoteImages(html: string, nonce: string): number {
  const images = [...parse(html, nonce).querySelectorAll('img[src], [background]')];
  const addressOf = (image: Element) => image.getAttribute('src') ?? image.getAttribute('background') ?? '';
  return images.filter((image) => /^\s*(?:https?:)?\/\//i.test(addressOf(image))).length;
}

function element(document: Document, name: string, attributes: Readonly<Record<string, string>>): Element {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  return made;
}
