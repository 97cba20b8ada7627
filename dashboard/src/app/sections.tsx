import {
  ClipboardList,
  FileText,
  Globe,
  Inbox,
  KeyRound,
  LayoutDashboard,
  ListChecks,
  type LucideIcon,
  Megaphone,
  Send,
  Settings,
  ShieldBan,
  Tags,
  UserCog,
  Users,
  Webhook,
} from 'lucide-react';
import type { ComponentType } from 'react';

import type { TextId } from '../texts/text';
import { lazyWithTexts } from './lazy-with-texts';
import type { SectionPath } from './section-paths';

export interface Section {
  label: TextId;
  icon: LucideIcon;
  /** Hidden from members. */
  isAdminOnly?: boolean;
  isDemoOnly?: boolean;
  /** Keyed by the route below the section, `''` for its index. */
  pages: Readonly<Record<string, ComponentType>>;
}

/** Each page is the default export of its own file, which is loaded when the page is opened. */
export const SECTIONS: Readonly<Record<SectionPath, Section>> = {
  overview: {
    label: 'common.section.overview',
    icon: LayoutDashboard,
    pages: { '': lazyWithTexts('overview', () => import('../pages/overview/overview-page')) },
  },
  messages: {
    label: 'common.section.messages',
    icon: Send,
    pages: {
      '': lazyWithTexts('messages', () => import('../pages/messages/messages-page')),
      ':id': lazyWithTexts('messages', () => import('../pages/messages/message-page')),
    },
  },
  campaigns: {
    label: 'common.section.campaigns',
    icon: Megaphone,
    pages: {
      '': lazyWithTexts('campaigns', () => import('../pages/campaigns/campaigns-page')),
      ':id': lazyWithTexts('campaigns', () => import('../pages/campaigns/campaign-page')),
    },
  },
  contacts: {
    label: 'common.section.contacts',
    icon: Users,
    pages: {
      '': lazyWithTexts('contacts', () => import('../pages/contacts/contacts-page')),
      ':id': lazyWithTexts('contacts', () => import('../pages/contacts/contact-page')),
      import: lazyWithTexts('contacts', () => import('../pages/contacts/import/import-page')),
    },
  },
  lists: {
    label: 'common.section.lists',
    icon: ListChecks,
    pages: { '': lazyWithTexts('lists', () => import('../pages/lists/lists-page')) },
  },
  topics: {
    label: 'common.section.topics',
    icon: Tags,
    pages: {
      '': lazyWithTexts('topics', () => import('../pages/topics/topics-page')),
      ':id': lazyWithTexts('topics', () => import('../pages/topics/topic-page')),
    },
  },
  forms: {
    label: 'common.section.forms',
    icon: ClipboardList,
    pages: {
      '': lazyWithTexts('forms', () => import('../pages/forms/forms-page')),
      ':id': lazyWithTexts('forms', () => import('../pages/forms/form-page')),
    },
  },
  templates: {
    label: 'common.section.templates',
    icon: FileText,
    pages: {
      '': lazyWithTexts('templates', () => import('../pages/templates/templates-page')),
      ':id': lazyWithTexts('templates', () => import('../pages/templates/template-page')),
    },
  },
  suppressions: {
    label: 'common.section.suppressions',
    icon: ShieldBan,
    pages: { '': lazyWithTexts('suppressions', () => import('../pages/suppressions/suppressions-page')) },
  },
  webhooks: {
    label: 'common.section.webhooks',
    icon: Webhook,
    pages: {
      '': lazyWithTexts('webhooks', () => import('../pages/webhooks/webhooks-page')),
      ':id': lazyWithTexts('webhooks', () => import('../pages/webhooks/webhook-page')),
      ':id/deliveries/:deliveryId': lazyWithTexts('webhooks', () => import('../pages/webhooks/delivery-page')),
    },
  },
  'api-keys': {
    label: 'common.section.api-keys',
    icon: KeyRound,
    pages: { '': lazyWithTexts('api-keys', () => import('../pages/api-keys/api-keys-page')) },
  },
  domains: {
    label: 'common.section.domains',
    icon: Globe,
    pages: {
      '': lazyWithTexts('domains', () => import('../pages/domains/domains-page')),
      ':id': lazyWithTexts('domains', () => import('../pages/domains/domain-page')),
    },
  },
  settings: {
    label: 'common.section.settings',
    icon: Settings,
    pages: { '': lazyWithTexts('settings', () => import('../pages/settings/settings-page')) },
  },
  users: {
    label: 'common.section.users',
    isAdminOnly: true,
    icon: UserCog,
    pages: { '': lazyWithTexts('users', () => import('../pages/users/users-page')) },
  },
  inbox: {
    label: 'common.section.inbox',
    isDemoOnly: true,
    icon: Inbox,
    pages: {
      '': lazyWithTexts('inbox', () => import('../pages/inbox/inbox-page')),
      ':number': lazyWithTexts('inbox', () => import('../pages/inbox/mail-page')),
    },
  },
};
