import { type ContentTask, contentThreads } from '../../../concurrency/content-threads.js';
import { Refusal } from '../../../mail/reading/refusal.js';
import type { ReceivedMail } from '../domain/received-mail.js';
import type { MailRequest, MailRules } from './mail-request.js';
import { readMail } from './read-mail.js';

interface Input {
  mail: ReceivedMail;
  recipients: readonly string[];
  rules: MailRules;
}

/** Errors lose their class on the way between threads. */
type Output = { request: MailRequest } | { refused: [responseCode: number, message: string] };

export const READ_MAIL: ContentTask<Input, Output> = {
  name: 'read mail',
  subject: 'The mail',
  run: ({ mail, recipients, rules }) => {
    try {
      return { request: readMail(mail, recipients, rules) };
    } catch (error) {
      if (error instanceof Refusal) return { refused: [error.responseCode, error.message] };
      throw error;
    }
  },
};

/** The cost of reading, as a multiple of other work on as many bytes: headers and parts are short. */
const COST = 2;

/** Like `readMail`, in a thread if the mail is large. The bytes of the mail must not be used afterwards. */
export async function readMailOf(accountId: string, input: Input): Promise<MailRequest> {
  const { bytes } = input.mail;
  const output = await contentThreads.run(READ_MAIL, input, {
    accountId,
    size: COST * bytes.length,
    transfer: [bytes.buffer as ArrayBuffer],
  });
  if ('refused' in output) throw new Refusal(...output.refused);
  return output.request;
}
