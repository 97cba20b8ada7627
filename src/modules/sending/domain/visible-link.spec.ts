import { describe, expect, it } from '@jest/globals';

import { isLinkVisible } from './visible-link.js';

const URL = 'https://example.com/u/a?b=1&c=2';
const LINK = '<a href="https://example.com/u/a?b=1&amp;c=2">Unsubscribe</a>';

describe('isLinkVisible', () => {
  it.each([
    LINK,
    'Open https://example.com/u/a?b=1&amp;c=2 to unsubscribe',
    '<form action="https://example.com/u/a?b=1&amp;c=2"><button>Unsubscribe</button></form>',
    `<div style="display:none">Preview</div>${LINK}`,
    `<p style="display:none">Preview<p>${LINK}`,
    `<img style="display: none" src="x">${LINK}`,
    `<div style="display:none"><div>a</div></div></div>${LINK}`,
    `<!-- a --><style>p { color: red }</style><p style="display: none-such">${LINK}</p>`,
    `${'<b>x</b>'.repeat(10_000)}${'x'.repeat(70_000)} ${URL} x`,
  ])('sees a link in %s', (html) => {
    expect(isLinkVisible(html, URL)).toBe(true);
  });

  it.each([
    '',
    `<!-- ${LINK} -->`,
    `<!--[if mso]>${LINK}<![endif]-->`,
    `<style>${LINK}</style>`,
    `<title>${URL}</title><script>"${URL}"</script><template>${LINK}</template>`,
    `<div style="color: red; DISPLAY : none !important">${LINK}</div>`,
    `<div style="display:none"><div></div>${LINK}</div>`,
    `<a style="display:none" href="${URL}">Unsubscribe</a>`,
    `<p hidden>${LINK}</p>`,
    `<link href="${URL}"><img src="${URL}" alt="${URL}">`,
  ])('sees none in %s', (html) => {
    expect(isLinkVisible(html, URL)).toBe(false);
  });
});
