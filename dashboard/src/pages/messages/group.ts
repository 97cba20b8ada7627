import type { MessageDetail, Schemas } from '../../api/types';

type Member = Schemas['MessageCopyResponse'];

/** The message and its copies in the order of the request, which is that of the ids. */
export function membersOf({ id, to, role, status, copies = [] }: MessageDetail): Member[] {
  const members = [{ messageLogId: id, email: to, role, status }, ...copies];
  return members.sort((a, b) => (a.messageLogId < b.messageLogId ? -1 : 1));
}
