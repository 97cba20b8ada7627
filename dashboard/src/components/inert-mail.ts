const RUNS_OR_LOADS = 'script, link, meta, base, iframe, frame, object, embed, video, audio, source, image, use';
const LOADS = ['src', 'srcset', 'background', 'poster', 'data'];
/** A link follows the <base>, and does not put something else in the mail's place. */
const LEADS = ['target', 'ping'];
const DATA_URL = /^\s*["']?data:/i;

/**
 * A mail's HTML without what its frame would refuse anyway, so that nothing is tried; its style sheets carry the page's nonce, or
 * they would be left out. It is the frame that keeps a mail from running and loading anything, not this.
 */
export function inertMail(html: string, nonce: string, policy: string): string {
  const admitted = html.replace(/<style\b/gi, `<style nonce="${nonce}"`);
  const mail = new DOMParser().parseFromString(admitted, 'text/html');
  for (const element of mail.querySelectorAll(RUNS_OR_LOADS)) element.remove();
  for (const element of mail.querySelectorAll('*')) {
    for (const name of LOADS) if (!element.getAttribute(name)?.startsWith('data:')) element.removeAttribute(name);
    for (const { name } of [...element.attributes])
      if (name.startsWith('on') || LEADS.includes(name)) element.removeAttribute(name);
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

/** Linear in the length of the style, however many `url(` it leaves open. */
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
