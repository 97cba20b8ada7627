import { idTime, newIds } from '../../../shared/ids.js';

/** New ids in ascending order, greater than all that the campaign has assigned before. */
export function messageIdsAfter(lastId: string, now: Date, count: number): string[] {
  const earliest = lastId === '' ? 0 : idTime(lastId).getTime() + 1;
  return newIds(new Date(Math.max(now.getTime(), earliest)), count);
}
