/** The first parts of the addresses of pages, in the order of the navigation. The service answers them with the dashboard. */
export const ADDRESSES = ['messages', 'api-keys'] as const;

export type Address = (typeof ADDRESSES)[number];
