/**
 * The length of the prefix that the ids of one millisecond share: `c` and the time. All ids of a group are of one
 * millisecond.
 */
const ID_PREFIX_LENGTH = 9;

/** Bytes of an attachment in one row: about 256 kB, and a multiple of 57, the bytes of a line of base64. */
export const PART_BYTES = 57 * 4_600;

/**
 * Limits the column to the range of the group's ids, so that an index finds them; ids of the same millisecond that are
 * not of the group may lie in it too. `~` sorts after every character of an id.
 */
export const nearGroup = (column: string, groupId: string): string =>
  `${column} >= ${groupId} AND ${column} < left(${groupId}, ${ID_PREFIX_LENGTH}) || '~'`;
