import type { EntitySchema } from 'typeorm';

import { AccountSchema } from './modules/accounts/infrastructure/account.schema.js';
import { UserSchema } from './modules/accounts/infrastructure/user.schema.js';
import { ContactListSchema } from './modules/contacts/infrastructure/contact-list.schema.js';
import { DomainSchema } from './modules/domains/infrastructure/domain.schema.js';
import { SenderSchema } from './modules/domains/infrastructure/sender.schema.js';
import { ApiKeySchema } from './modules/keys/infrastructure/api-key.schema.js';
import { EmailEventSchema } from './modules/messages/infrastructure/email-event.schema.js';
import { MessageLogSchema } from './modules/messages/infrastructure/message-log.schema.js';
import { SuppressionSchema } from './modules/suppression/infrastructure/suppression.schema.js';
import { TemplateSchema } from './modules/templates/infrastructure/template.schema.js';
import { WebhookEndpointSchema } from './modules/webhooks/infrastructure/webhook-endpoint.schema.js';

/** All mapped tables. A test compares them with the migrations. */
export const ENTITIES = [
  AccountSchema,
  UserSchema,
  ContactListSchema,
  DomainSchema,
  SenderSchema,
  ApiKeySchema,
  MessageLogSchema,
  EmailEventSchema,
  SuppressionSchema,
  TemplateSchema,
  WebhookEndpointSchema,
] as EntitySchema[];
