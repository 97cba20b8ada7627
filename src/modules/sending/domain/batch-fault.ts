import { DomainError, InvalidFields } from '../../../shared/domain-error.js';

const MAX_FAULTS_NAMED = 20;
/** The fields with whose names the faults of a send begin. */
const FIELDS = [
  ...['to', 'fromEmail', 'fromName', 'replyTo', 'subject', 'html', 'text', 'templateId', 'variables', 'unsubscribeUrl'],
  ...['strictVariables', 'cc', 'bcc', 'attachments', 'headers', 'tags', 'metadata', 'scheduledAt', 'body', 'topicId'],
];
const BEGINS_WITH_FIELD = new RegExp(`^(?:${FIELDS.join('|')})(?=[ .:[])`);

/** The faults of a message of a batch, as faults of the request. */
function faultsAt(index: number, error: DomainError): string[] {
  const at = `messages[${index}]`;
  if (error instanceof InvalidFields) return error.faults.map((fault) => `${at}.${fault}`);
  const { message } = error;
  if (message.startsWith('must ')) return [`${at} ${message}`];
  return [BEGINS_WITH_FIELD.test(message) ? `${at}.${message}` : `${at}: ${message}`];
}

/** Throws `invalid` with the faults of the entries that are errors, and with their code if all have the same. */
export function requireNoFault(messages: readonly object[]): void {
  const faults = messages.flatMap((error, index) => (error instanceof DomainError ? faultsAt(index, error) : []));
  if (faults.length === 0) return;
  const further = faults.length - MAX_FAULTS_NAMED;
  const named = faults.slice(0, MAX_FAULTS_NAMED);
  const message = [...named, ...(further > 0 ? [`${further} further faults`] : [])].join('; ');
  const codes = new Set(messages.flatMap((error) => (error instanceof DomainError ? [error.code] : [])));
  const [code = 'validation'] = codes;
  throw DomainError.invalid(message, codes.size === 1 ? code : 'validation');
}
