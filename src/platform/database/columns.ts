/** An id column: compared byte by byte, so that ids sort by time. */
export const ID = { type: 'text', collation: 'C' } as const;
