/** The first path segment of each section, in navigation order. The service serves the dashboard at these paths. */
export const SECTION_PATHS = [
  'overview',
  'messages',
  'campaigns',
  'contacts',
  'lists',
  'topics',
  'forms',
  'templates',
  'suppressions',
  'webhooks',
  'api-keys',
  'domains',
  'settings',
  'users',
  'inbox',
] as const;

export type SectionPath = (typeof SECTION_PATHS)[number];
