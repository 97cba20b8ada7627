import type { HtmlPage } from '../../../platform/http/html-page.js';
import { escapeHtml } from '../../../shared/text.js';
import type { SenderRequest } from '../application/confirm-sender.service.js';

/** The form is submitted to the address of the page. */
export const confirmPage = ({ email, account }: SenderRequest): HtmlPage => ({
  brand: account,
  title: `Confirm ${email} as a sender`,
  body: `<p>The account named <q>${escapeHtml(account.name)}</q> asks to send email from this address. Confirm only if you know of this and agree.</p>
<form method="post"><button type="submit">Confirm ${escapeHtml(email)}</button></form>
<p>If you do not agree, close this page: nothing changes.</p>`,
});

export const confirmedPage = ({ email, account }: SenderRequest): HtmlPage => ({
  brand: account,
  title: `${email} is confirmed`,
  body: `<p>The account named <q>${escapeHtml(account.name)}</q> can now send email from this address. You can close this page.</p>`,
});

export const unusableLinkPage: HtmlPage = {
  title: 'This link does not work',
  body: `<p>Links work once and within 24 hours, and only the latest one does. This one has expired, has been used, was
replaced by a newer one, or was not copied in full.</p>
<p>If the address still has to be confirmed, use the link in the latest mail, or have a new mail sent from the list of senders.</p>`,
};
