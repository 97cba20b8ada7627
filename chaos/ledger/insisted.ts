import { groupBy } from '../../src/shared/group-by.js';
import type { Evidence, Send } from '../evidence.js';
import type { Entry } from './entry.js';

/** That their messages end, and are received, is checked with those of all others. */
export function checkInsisted({ sends, messages }: Evidence): Entry {
  const insisted = sends.filter(({ isInsisted }) => isInsisted);
  const byRecipient = groupBy(messages, ({ recipient }) => recipient);
  const answers = insisted.flatMap(({ accepted }) => accepted);
  const lost = insisted.filter(({ accepted: [first] }) => first?.isReplayed);
  return {
    name: 'Every send with an Idempotency-Key is accepted in the end, and makes one message however often it is repeated',
    counted: `${insisted.length} sends, ${answers.length} answers 201; of ${lost.length} the first 201 got lost`,
    gaps: insisted.flatMap((send) => gapsOf(send, byRecipient.get(send.recipient)?.length ?? 0)),
  };
}

function gapsOf({ recipient, status, accepted }: Send, count: number): string[] {
  const ids = [...new Set(accepted.map(({ messageId }) => messageId))];
  return [
    ...(accepted.length === 0 ? [`${recipient} was insisted on and never accepted: ${status}`] : []),
    ...(ids.length > 1 ? [`${recipient} was answered with several messages: ${ids.join(', ')}`] : []),
    ...(count === 1 ? [] : [`${recipient} was insisted on and has ${count} messages`]),
  ];
}
