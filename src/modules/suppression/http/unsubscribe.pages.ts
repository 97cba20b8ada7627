import type { HtmlPage } from '../../../platform/http/html-page.js';
import type { PageLanguage } from '../../../shared/page-language.js';
import { escapeHtml } from '../../../shared/text.js';
import type { OpenedLink } from '../application/open-unsubscribe-link.service.js';
import { ACTION, EVERYTHING } from './preference-fields.js';

/** What the button posts where a post without it means the topic of the mail alone. */
const nameOfButton = (topicId: string | null): string =>
  topicId === null ? '' : ` name="${ACTION}" value="${EVERYTHING}"`;

/** The form goes back to the address of the page. */
export const unsubscribePage = ({ target: { email, topicId }, account }: OpenedLink): HtmlPage => ({
  brand: account,
  title: `Unsubscribe from ${account.name}`,
  body: `<p>Stop all email from ${escapeHtml(account.name)} to ${escapeHtml(email)}?</p>
<form method="post"><button type="submit"${nameOfButton(topicId)}>Unsubscribe</button></form>
<p>If you do not want this, close this page: nothing changes.</p>`,
});

const UNSUBSCRIBED: Record<PageLanguage, { title: string; text: (accountName: string, email: string) => string }> = {
  en: {
    title: 'You are unsubscribed',
    text: (accountName, email) => `${accountName} sends no more email to ${email}. You can close this page.`,
  },
  de: {
    title: 'Sie sind abgemeldet',
    text: (accountName, email) =>
      `${accountName} sendet keine E-Mails mehr an ${email}. Sie können diese Seite schließen.`,
  },
};

export function unsubscribedPage({ target, account }: OpenedLink, language: PageLanguage): HtmlPage {
  const { title, text } = UNSUBSCRIBED[language];
  const body = `<p>${text(escapeHtml(account.name), escapeHtml(target.email))}</p>`;
  return { brand: account, language, title, body };
}

export const unknownLinkPage: HtmlPage = {
  title: 'This link does not work',
  body: `<p>It was probably not copied in full, or is no longer valid, so nothing has changed. Please use the link in the email itself.</p>`,
};
