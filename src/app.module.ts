import { type DynamicModule, Global, Module } from '@nestjs/common';

import { Config } from './config/config.js';
import { ENTITIES } from './modules/entities.js';
import { AccountsModule } from './modules/accounts/accounts.module.js';
import { CampaignsModule } from './modules/campaigns/campaigns.module.js';
import { ConsentModule } from './modules/consent/consent.module.js';
import { ContactsModule } from './modules/contacts/contacts.module.js';
import { DomainsModule } from './modules/domains/domains.module.js';
import { ErasureModule } from './modules/erasure/erasure.module.js';
import { FormsModule } from './modules/forms/forms.module.js';
import { ImportsModule } from './modules/imports/imports.module.js';
import { KeysModule } from './modules/keys/keys.module.js';
import { MessagesModule } from './modules/messages/messages.module.js';
import { ProviderEventsModule } from './modules/provider-events/provider-events.module.js';
import { ProviderSettingsModule } from './modules/provider-settings/provider-settings.module.js';
import { SendersModule } from './modules/senders/senders.module.js';
import { SendingModule } from './modules/sending/sending.module.js';
import { SubmissionModule } from './modules/submission/submission.module.js';
import { SimulatorModule } from './modules/simulator/simulator.module.js';
import { SmsModule } from './modules/sms/sms.module.js';
import { SuppressionModule } from './modules/suppression/suppression.module.js';
import { TemplatesModule } from './modules/templates/templates.module.js';
import { TopicsModule } from './modules/topics/topics.module.js';
import { TrackingModule } from './modules/tracking/tracking.module.js';
import { WebhooksModule } from './modules/webhooks/webhooks.module.js';
import { HttpModule } from './platform/http/http.module.js';
import { createLogger, Log } from './platform/logging/log.js';
import { MetricsModule } from './platform/metrics/metrics.module.js';
import { limitReads } from './platform/http/limit-reads.js';
import { ProvidersModule } from './providers/providers.module.js';
import type { Past } from './platform/past.js';
import { PlatformModule } from './platform/platform.module.js';
import { TracingModule } from './platform/tracing/tracing.module.js';
import { SEALED_PLACES } from './modules/sealed-places.js';

const FEATURES = [
  AccountsModule,
  CampaignsModule,
  ConsentModule,
  ContactsModule,
  DomainsModule,
  ErasureModule,
  FormsModule,
  ImportsModule,
  KeysModule,
  MessagesModule,
  ProviderEventsModule,
  ProviderSettingsModule,
  SendersModule,
  SimulatorModule,
  SmsModule,
  SubmissionModule,
  SuppressionModule,
  TemplatesModule,
  TopicsModule,
  TrackingModule,
  WebhooksModule,
];

limitReads([SendingModule, ...FEATURES]);

interface Additions {
  modules?: DynamicModule[] | undefined;
  past?: Past | undefined;
}

/** The root module of the service. */
@Global()
@Module({})
export class AppModule {
  static register(
    config: Config,
    log: Log = createLogger(config),
    { modules = [], past }: Additions = {},
  ): DynamicModule {
    return {
      module: AppModule,
      imports: [
        // First, because Express matches routes in this order, and sending is the busiest.
        SendingModule,
        PlatformModule.register(ENTITIES, SEALED_PLACES, past),
        ProvidersModule,
        MetricsModule,
        TracingModule,
        HttpModule,
        ...FEATURES,
        ...modules,
      ],
      providers: [
        { provide: Config, useValue: config },
        { provide: Log, useValue: log },
      ],
      exports: [Config, Log],
    };
  }
}
