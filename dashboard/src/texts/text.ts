import { i18n } from '@lingui/core';

import { isolate } from './isolate';

import type apiKeys from './en/api-keys.json';
import type campaigns from './en/campaigns.json';
import type common from './en/common.json';
import type contacts from './en/contacts.json';
import type domains from './en/domains.json';
import type forms from './en/forms.json';
import type inbox from './en/inbox.json';
import type lists from './en/lists.json';
import type login from './en/login.json';
import type messages from './en/messages.json';
import type overview from './en/overview.json';
import type settings from './en/settings.json';
import type suppressions from './en/suppressions.json';
import type templates from './en/templates.json';
import type topics from './en/topics.json';
import type users from './en/users.json';
import type webhooks from './en/webhooks.json';

/** The texts of a section of the dashboard are loaded with its pages, `common` with the dashboard. */
interface Texts {
  'api-keys': typeof apiKeys;
  campaigns: typeof campaigns;
  common: typeof common;
  contacts: typeof contacts;
  domains: typeof domains;
  forms: typeof forms;
  inbox: typeof inbox;
  lists: typeof lists;
  login: typeof login;
  messages: typeof messages;
  overview: typeof overview;
  settings: typeof settings;
  suppressions: typeof suppressions;
  templates: typeof templates;
  topics: typeof topics;
  users: typeof users;
  webhooks: typeof webhooks;
}

export type TextSection = keyof Texts;

/** The name of a text: the section and the key in `en/<section>.json`. */
export type TextId = { [Section in TextSection]: `${Section}.${keyof Texts[Section] & string}` }[TextSection];

/** The values by the names of the arguments in the text. Numbers are formatted in the language. */
export type TextValues = Record<string, string | number>;

/**
 * The text in the language of the page. Call it while rendering or in a handler: when a module is evaluated, texts are
 * not loaded yet, so constants hold a `TextId`.
 */
export function t(id: TextId, values: TextValues = {}): string {
  const isolated = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'string' ? isolate(value) : value,
  ]);
  return i18n._(id, Object.fromEntries(isolated) as TextValues);
}
