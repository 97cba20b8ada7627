import {
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
  UserCog,
  Users,
  Webhook,
} from 'lucide-react';
import { type ComponentType, lazy, type LazyExoticComponent } from 'react';

import type { SectionPath } from './section-paths';

export interface Section {
  label: string;
  icon: LucideIcon;
  /** Hidden from members. */
  isAdminOnly?: boolean;
  isDemoOnly?: boolean;
  /** Keyed by the route below the section, `''` for its index. */
  pages: Readonly<Record<string, LazyExoticComponent<ComponentType>>>;
}

/** Each page is the default export of its own file, which is loaded when the page is opened. */
export const SECTIONS: Readonly<Record<SectionPath, Section>> = {
  overview: {
    label: 'Overview',
    icon: LayoutDashboard,
    pages: { '': lazy(() => import('../pages/overview/overview-page')) },
  },
  messages: {
    label: 'Messages',
    icon: Send,
    pages: {
      '': lazy(() => import('../pages/messages/messages-page')),
      ':id': lazy(() => import('../pages/messages/message-page')),
    },
  },
  campaigns: {
    label: 'Campaigns',
    icon: Megaphone,
    pages: {
      '': lazy(() => import('../pages/campaigns/campaigns-page')),
      ':id': lazy(() => import('../pages/campaigns/campaign-page')),
    },
  },
  contacts: {
    label: 'Contacts',
    icon: Users,
    pages: {
      '': lazy(() => import('../pages/contacts/contacts-page')),
      ':id': lazy(() => import('../pages/contacts/contact-page')),
      import: lazy(() => import('../pages/contacts/import/import-page')),
    },
  },
  lists: {
    label: 'Lists',
    icon: ListChecks,
    pages: { '': lazy(() => import('../pages/lists/lists-page')) },
  },
  templates: {
    label: 'Templates',
    icon: FileText,
    pages: {
      '': lazy(() => import('../pages/templates/templates-page')),
      ':id': lazy(() => import('../pages/templates/template-page')),
    },
  },
  suppressions: {
    label: 'Suppressions',
    icon: ShieldBan,
    pages: { '': lazy(() => import('../pages/suppressions/suppressions-page')) },
  },
  webhooks: {
    label: 'Webhooks',
    icon: Webhook,
    pages: {
      '': lazy(() => import('../pages/webhooks/webhooks-page')),
      ':id': lazy(() => import('../pages/webhooks/webhook-page')),
      ':id/deliveries/:deliveryId': lazy(() => import('../pages/webhooks/delivery-page')),
    },
  },
  'api-keys': {
    label: 'API keys',
    icon: KeyRound,
    pages: { '': lazy(() => import('../pages/api-keys/api-keys-page')) },
  },
  domains: {
    label: 'Domains and senders',
    icon: Globe,
    pages: {
      '': lazy(() => import('../pages/domains/domains-page')),
      ':id': lazy(() => import('../pages/domains/domain-page')),
    },
  },
  settings: {
    label: 'Settings',
    icon: Settings,
    pages: { '': lazy(() => import('../pages/settings/settings-page')) },
  },
  users: {
    label: 'Users',
    isAdminOnly: true,
    icon: UserCog,
    pages: { '': lazy(() => import('../pages/users/users-page')) },
  },
  inbox: {
    label: 'Inbox',
    isDemoOnly: true,
    icon: Inbox,
    pages: {
      '': lazy(() => import('../pages/inbox/inbox-page')),
      ':number': lazy(() => import('../pages/inbox/mail-page')),
    },
  },
};
