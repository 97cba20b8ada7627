/** The first parts of the addresses of pages, in the order of the navigation. The service answers them with the dashboard. */
export const ADDRESSES = [
  'overview',
  'messages',
  'contacts',
  'lists',
  'templates',
  'suppressions',
  'webhooks',
  'api-keys',
  'domains',
  'settings',
  'users',
  'inbox',
] as const;

export type Address = (typeof ADDRESSES)[number];
