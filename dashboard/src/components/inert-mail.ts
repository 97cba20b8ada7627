const ACTIVE_ELEMENTS = 'script, link, meta, base, iframe, frame, object, embed, video, audio, source, image, use';
const RESOURCE_ATTRIBUTES = ['src', 'srcset', 'background', 'poster', 'data'];
/** Removed so that links follow the <base> and cannot replace the mail in its frame. */
const LINK_ATTRIBUTES = ['target', 'ping'];
const DATA_URL = /^\s*["']?data:/i;

/**
 * Removes the parts of a mail's HTML that its frame would block anyway, so that no blocked attempts are logged. Style
 * sheets get the page's nonce, without which they would be ignored. Not a security boundary: the sandboxed frame is.
 */
export function inertMail(html: string, nonce: string, policy: string): string {
  const admitted = html.replace(/<style\b/gi, `<style nonce="${nonce}"`);
  const mail = new DOMParser().parseFromString(admitted, 'text/html');
  for (const element of mail.querySelectorAll(ACTIVE_ELEMENTS)) element.remove();
  for (const element of mail.querySelectorAll('*')) {
    for (const name of RESOURCE_ATTRIBUTES)
      if (!element.getAttribute(name)?.startsWith('data:')) element.removeAttribute(name);
    for (const { name } of [...element.attributes])
      if (name.startsWith('on') || LINK_ATTRIBUTES.includes(name)) element.removeAttribute(name);
    const style = element.getAttribute('style');
    if (style) element.setAttribute('style', withoutRemoteStyles(style));
  }
  for (const sheet of mail.querySelectorAll('style')) sheet.textContent = withoutRemoteStyles(sheet.textContent);
  mail.head.prepend(
    element(mail, 'meta', { 'http-equiv': 'Content-Security-Policy', content: policy }),
    element(mail, 'base', { target: '_blank' }),
  );
  return `<!doctype html>${mail.documentElement.outerHTML}`;
}

/** Runs in linear time even if many `url(` are unclosed. */
function withoutRemoteStyles(style: string): string {
  const [before = '', ...urls] = style.replace(/@import[^;]*;?/gi, 'none').split(/url\(/i);
  const replaced = urls.map((url) => {
    if (DATA_URL.test(url)) return `url(${url}`;
    const end = url.indexOf(')');
    return end === -1 ? 'none' : `none${url.slice(end + 1)}`;
  });
  return [before, ...replaced].join('');
}

function element(document: Document, name: string, attributes: Readonly<Record<string, string>>): Element {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  return made;
}
