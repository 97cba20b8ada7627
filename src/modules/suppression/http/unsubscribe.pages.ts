import type { HtmlPage } from '../../../platform/http/html-page.js';
import { escapeHtml } from '../../../shared/text.js';
import type { UnsubscribeRequest } from '../application/unsubscribe.service.js';

/** The form goes back to the address of the page. */
export const unsubscribePage = ({ email, accountName }: UnsubscribeRequest): HtmlPage => ({
  title: `Unsubscribe from ${accountName}`,
  body: `<p>Stop all email from ${escapeHtml(accountName)} to ${escapeHtml(email)}?</p>
<form method="post"><button type="submit">Unsubscribe</button></form>
<p>If you do not want this, close this page: nothing changes.</p>`,
});

export const unsubscribedPage = ({ email, accountName }: UnsubscribeRequest): HtmlPage => ({
  title: 'You are unsubscribed',
  body: `<p>${escapeHtml(accountName)} sends no more email to ${escapeHtml(email)}. You can close this page.</p>`,
});

export const unknownLinkPage: HtmlPage = {
  title: 'This link does not work',
  body: `<p>It was probably not copied in full, so nothing has changed. Please use the link in the email itself.</p>`,
};
