import type { HtmlPage } from '../../../platform/http/html-page.js';
import type { PageLanguage } from '../../../shared/page-language.js';
import { escapeHtml } from '../../../shared/text.js';
import type { OpenSignup } from '../application/ports/signup.repository.js';
import { PAGE_TEXTS } from './page-texts.js';
import { withLinks } from './public-form.pages.js';

/** The field that the button of the page sends; a mail scanner that posts to links does not. */
const FIELD = 'confirm';
const VALUE = 'yes';

const STYLE = '.wording{white-space:pre-line}';

export const isFromButton = (body: string): boolean => new URLSearchParams(body).get(FIELD) === VALUE;

/** The form is submitted to the address of the page. */
export function confirmPage({ email, wording, account, form }: OpenSignup, language: PageLanguage): HtmlPage {
  const texts = PAGE_TEXTS[language];
  const { confirmedUrl } = form;
  return {
    title: texts.confirmTitle(account.name),
    body: `<p>${texts.confirm(escapeHtml(email), escapeHtml(account.name))}</p>
<p>${texts.agree}</p>
<p class="wording">${withLinks(wording)}</p>
<form method="post"><button type="submit" name="${FIELD}" value="${VALUE}">${texts.confirmButton}</button></form>
<p>${texts.otherwise}</p>`,
    brand: account,
    language,
    extras: {
      style: STYLE,
      redirectOrigins: confirmedUrl === null ? [] : [new URL(confirmedUrl).origin],
    },
  };
}

export function confirmedPage({ email, account }: OpenSignup, language: PageLanguage): HtmlPage {
  const { confirmedTitle: title, confirmed } = PAGE_TEXTS[language];
  return {
    title,
    body: `<p>${confirmed(escapeHtml(email), escapeHtml(account.name))}</p>`,
    brand: account,
    language,
  };
}

export function suppressedPage({ email, account }: OpenSignup, language: PageLanguage): HtmlPage {
  const { suppressedTitle: title, suppressed } = PAGE_TEXTS[language];
  return {
    title,
    body: `<p>${suppressed(escapeHtml(email), escapeHtml(account.name))}</p>`,
    brand: account,
    language,
  };
}

export function deadLinkPage(language: PageLanguage): HtmlPage {
  const { deadLinkTitle: title, deadLink } = PAGE_TEXTS[language];
  return { title, body: `<p>${deadLink}</p>`, language };
}
