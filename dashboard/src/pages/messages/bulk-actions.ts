import { api, ApiError, unwrap } from '../../api/client';
import type { Message } from '../../api/types';

export interface BulkResult {
  succeeded: number;
  /** The messages that were left unchanged, with the reason. */
  failures: readonly { message: Message; reason: string }[];
}

const RESENDS_AT_A_TIME = 4;

export async function cancelMessages(messages: readonly Message[]): Promise<BulkResult> {
  const ids = messages.map(({ id }) => id);
  const { canceled, errors } = await unwrap(api.POST('/api/messages/cancel', { body: { ids } }));
  const reasons = new Map(errors.map(({ id, message }) => [id, message]));
  const failures = messages.flatMap((message) => {
    const reason = reasons.get(message.id);
    return reason === undefined ? [] : [{ message, reason }];
  });
  return { succeeded: canceled, failures };
}

/** One request per message. An error that the other requests would get as well ends the run. */
export async function resendMessages(
  messages: readonly Message[],
  onProgress: (done: number) => void,
): Promise<BulkResult> {
  const waiting = [...messages];
  const failures: { message: Message; reason: string }[] = [];
  let fatal: string | null = null;
  let done = 0;
  const resendNext = async (): Promise<void> => {
    for (let message = waiting.shift(); message; message = waiting.shift()) {
      const error = fatal === null ? await resend(message.id) : null;
      if (error && isFatal(error)) fatal = error.message;
      const reason = error?.message ?? fatal;
      if (reason !== null) failures.push({ message, reason });
      onProgress(++done);
    }
  };
  await Promise.all(Array.from({ length: RESENDS_AT_A_TIME }, resendNext));
  return { succeeded: messages.length - failures.length, failures };
}

async function resend(id: string): Promise<Error | null> {
  try {
    await unwrap(api.POST('/api/messages/{id}/resend', { params: { path: { id } } }));
    return null;
  } catch (error) {
    return error as Error;
  }
}

/**
 * Whether the other requests would fail, too: unreachable, signed out, over the daily limit, or a fault of the service.
 */
const isFatal = (error: Error): boolean =>
  !(error instanceof ApiError) || [0, 401, 403, 429].includes(error.status) || error.status >= 500;
