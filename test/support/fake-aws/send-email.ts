import { randomUUID } from 'node:crypto';

import type { AwsCall } from './aws-call.js';
import { AwsError } from './aws-error.js';

/** https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html, as far as it is looked at here. */
interface SendEmail {
  FromEmailAddress?: string;
  Destination?: { ToAddresses?: string[]; CcAddresses?: string[]; BccAddresses?: string[] };
  Content?: { Raw?: { Data?: string } };
  EmailTags?: { Name: string; Value: string }[];
  ConfigurationSetName?: string;
}

const MOST_RECIPIENTS = 50;
const TAG = /^[\w-]{1,256}$/;
const SIMULATOR = /@simulator\.amazonses\.com$/i;

/** Raw content only, with sender and recipients given beside it: nothing is read out of the mail. */
export function sendEmail(call: AwsCall): { MessageId: string } {
  const { request, account, journal } = call;
  const email = request.parameters as SendEmail;
  const { ToAddresses = [], CcAddresses = [], BccAddresses = [] } = email.Destination ?? {};
  const from = email.FromEmailAddress ?? '';
  const to = [...ToAddresses, ...CcAddresses, ...BccAddresses];
  const raw = Buffer.from(email.Content?.Raw?.Data ?? '', 'base64').toString();
  const tags = email.EmailTags ?? [];

  requireWellFormed(from, to, raw, tags);
  account.requireSending();
  requireConfigurationSet(call, email.ConfigurationSetName);
  requireVerified(call, from, to);
  const receivedAt = performance.now();
  account.takeFromLimits(to.length, receivedAt);

  const messageId = newMessageId();
  journal.sent.push({
    messageId,
    accessKeyId: request.accessKeyId,
    region: request.region,
    from,
    to,
    configurationSetName: email.ConfigurationSetName,
    tags: Object.fromEntries(tags.map(({ Name, Value }) => [Name, Value])),
    raw,
    receivedAt,
  });
  return { MessageId: messageId };
}

function requireWellFormed(from: string, to: string[], raw: string, tags: { Name: string; Value: string }[]): void {
  if (!/\r?\n\r?\n/.test(raw)) throw malformed('Content.Raw.Data is not a mail.');
  if (!from) throw malformed('Missing FromEmailAddress.');
  if (to.length === 0) throw malformed('Missing recipients.');
  if (to.length > MOST_RECIPIENTS) throw malformed(`Recipient count exceeds ${MOST_RECIPIENTS}.`);
  for (const address of [from, ...to]) {
    if (!/^[^@\s]+@[^@\s]+$/.test(addressOf(address))) throw malformed(`Illegal address: ${address}`);
    if (/[^\x20-\x7e]/.test(addressOf(address))) throw malformed('Local address contains control or whitespace');
  }
  for (const { Name, Value } of tags) {
    if (!TAG.test(Name) || !TAG.test(Value)) throw malformed(`Invalid tag: ${Name}=${Value}`);
  }
}

function requireConfigurationSet({ account }: AwsCall, name: string | undefined): void {
  if (name === undefined || account.configurationSets.has(name)) return;
  throw new AwsError(404, 'NotFoundException', `Configuration set <${name}> does not exist.`);
}

function requireVerified({ request, account }: AwsCall, from: string, to: string[]): void {
  const recipients = account.sandbox ? to.filter((address) => !SIMULATOR.test(addressOf(address))) : [];
  const checked = account.sandbox || account.verifiedSendersOnly ? [from, ...recipients] : [];
  const failed = checked.filter((address) => !account.identities.covering(addressOf(address)));
  if (failed.length > 0) {
    throw new AwsError(
      400,
      'MessageRejected',
      'Email address is not verified. The following identities failed the check in region ' +
        `${request.region.toUpperCase()}: ${failed.join(', ')}`,
    );
  }
  const mailFrom = account.identities.covering(addressOf(from))?.mailFrom;
  if (mailFrom?.onMxFailure === 'REJECT_MESSAGE' && mailFrom.status !== 'SUCCESS') {
    throw new AwsError(400, 'MailFromDomainNotVerifiedException', `${mailFrom.domain} is not verified.`);
  }
}

/** Both `a@b.c` and `Ada <a@b.c>` are allowed. */
const addressOf = (mailbox: string) => /<([^<>]*)>\s*$/.exec(mailbox)?.[1] ?? mailbox;

const newMessageId = () => `0100${Date.now().toString(16).padStart(12, '0')}-${randomUUID()}-000000`;

const malformed = (message: string) => new AwsError(400, 'BadRequestException', message);
