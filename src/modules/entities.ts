import type { EntitySchema } from 'typeorm';

import { AccountSchema } from './accounts/infrastructure/account.schema.js';
import { UserSchema } from './accounts/infrastructure/user.schema.js';
import { ContactListSchema } from './contacts/infrastructure/contact-list.schema.js';
import { DomainSchema } from './domains/infrastructure/domain.schema.js';
import { FormSchema } from './forms/infrastructure/form.schema.js';
import { SenderSchema } from './senders/infrastructure/sender.schema.js';
import { ApiKeySchema } from './keys/infrastructure/api-key.schema.js';
import { EmailEventSchema } from './messages/infrastructure/email-event.schema.js';
import { MessageLogSchema } from './messages/infrastructure/message-log.schema.js';
import { SuppressionSchema } from './suppression/infrastructure/suppression.schema.js';
import { TemplateSchema } from './templates/infrastructure/template.schema.js';
import { TopicSchema } from './topics/infrastructure/topic.schema.js';
import { WebhookEndpointSchema } from './webhooks/infrastructure/webhook-endpoint.schema.js';

/** All mapped tables. A test compares them with the migrations. */
export const ENTITIES = [
  AccountSchema,
  UserSchema,
  ContactListSchema,
  DomainSchema,
  FormSchema,
  SenderSchema,
  ApiKeySchema,
  MessageLogSchema,
  EmailEventSchema,
  SuppressionSchema,
  TemplateSchema,
  TopicSchema,
  WebhookEndpointSchema,
] as EntitySchema[];
