import { randomUUID } from 'node:crypto';

import type { AwsCall } from './aws-call.js';
import { AwsError } from './aws-error.js';
import { confirmSubscription } from './sns-subscriptions.js';
import { element, escapeXml, members } from './xml.js';

const PAGE = 100;
/** SNS API reference, Publish: characters, although its guide says bytes. */
const MOST_CHARACTERS = 1_600;

/** Each answers the XML inside its result. */
const OPERATIONS: Record<string, (call: AwsCall) => string> = {
  Publish: publish,
  ListPhoneNumbersOptedOut: listPhoneNumbersOptedOut,
  CheckIfPhoneNumberIsOptedOut: ({ account, request }) =>
    element('isOptedOut', String(account.sms.optedOut.has(field(request.parameters, 'phoneNumber')))),
  GetSMSSandboxAccountStatus: ({ account }) => element('IsInSandbox', String(account.sms.sandbox)),
  ListSMSSandboxPhoneNumbers: listSandboxNumbers,
  ListOriginationNumbers: listOriginationNumbers,
  ConfirmSubscription: confirmSubscription,
};

export function runSns(call: AwsCall): string {
  const run = OPERATIONS[call.request.operation];
  if (!run) throw new AwsError(400, 'InvalidAction', `No such operation: ${call.request.operation}`);
  return run(call);
}

function publish({ request, journal }: AwsCall): string {
  const { parameters, accessKeyId, region } = request;
  const phoneNumber = field(parameters, 'PhoneNumber');
  const message = field(parameters, 'Message');
  if (!/^\+[1-9]\d{7,14}$/.test(phoneNumber)) {
    throw invalid(`PhoneNumber Reason: ${phoneNumber} is not valid to publish to`);
  }
  if (!message) throw invalid('Empty message');
  if (message.length > MOST_CHARACTERS) throw invalid('Message too long');
  const attributes: Record<string, string> = {};
  for (let n = 1; field(parameters, `MessageAttributes.entry.${n}.Name`); n++) {
    const entry = `MessageAttributes.entry.${n}`;
    attributes[field(parameters, `${entry}.Name`)] = field(parameters, `${entry}.Value.StringValue`);
  }
  const messageId = randomUUID();
  const receivedAt = performance.now();
  journal.published.push({ messageId, accessKeyId, region, phoneNumber, message, attributes, receivedAt });
  return element('MessageId', messageId);
}

function listPhoneNumbersOptedOut({ account, request }: AwsCall): string {
  const { items, next } = page([...account.sms.optedOut], field(request.parameters, 'nextToken'), PAGE);
  return members('phoneNumbers', items.map(escapeXml)) + (next ? element('nextToken', next) : '');
}

function listSandboxNumbers({ account, request }: AwsCall): string {
  const limit = Number(field(request.parameters, 'MaxResults') || PAGE);
  const { items, next } = page([...account.sms.sandboxNumbers], field(request.parameters, 'NextToken'), limit);
  const entries = items.map(([number, status]) => element('PhoneNumber', number) + element('Status', status));
  return members('PhoneNumbers', entries) + (next ? element('NextToken', next) : '');
}

function listOriginationNumbers({ account, request }: AwsCall): string {
  const limit = Number(field(request.parameters, 'MaxResults') || 30);
  const { items, next } = page(account.sms.originationNumbers, field(request.parameters, 'NextToken'), limit);
  const entries = items.map(
    (number) =>
      element('CreatedAt', '2021-04-28T01:02:03.000Z') +
      element('PhoneNumber', number.phoneNumber) +
      element('Status', 'Active') +
      element('Iso2CountryCode', number.country) +
      element('RouteType', number.routeType) +
      members('NumberCapabilities', number.capabilities),
  );
  return members('PhoneNumbers', entries) + (next ? element('NextToken', next) : '');
}

/** A token is the offset that comes next. */
function page<T>(all: T[], token: string, limit: number): { items: T[]; next: string | undefined } {
  const start = Number(token || 0);
  if (!Number.isSafeInteger(start)) throw invalid('NextToken');
  const end = start + limit;
  return { items: all.slice(start, end), next: end < all.length ? String(end) : undefined };
}

const field = (parameters: Readonly<Record<string, unknown>>, name: string) => (parameters[name] ?? '') as string;

const invalid = (what: string) => new AwsError(400, 'InvalidParameter', `Invalid parameter: ${what}`);
