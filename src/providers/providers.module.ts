import { Global, Module } from '@nestjs/common';

import { Providers } from './providers.js';
import { EMAIL, PARTS, type RegisteredEmail, type RegisteredSms, REPORT_READERS, SMS } from './registration.js';
import { Simulator } from './simulator/simulator.js';
import { SimulatorProvider } from './simulator/simulator-provider.js';

const READERS = Object.values(REPORT_READERS);
const EMAIL_PROVIDERS = Symbol('EMAIL_PROVIDERS');
const SMS_PROVIDERS = Symbol('SMS_PROVIDERS');

/** The objects of all registered providers, and the simulator. */
@Global()
@Module({
  providers: [
    ...[...PARTS, ...EMAIL, ...SMS, ...READERS, Simulator, SimulatorProvider],
    { provide: EMAIL_PROVIDERS, useFactory: (...all: RegisteredEmail[]) => all, inject: [...EMAIL] },
    { provide: SMS_PROVIDERS, useFactory: (...all: RegisteredSms[]) => all, inject: [...SMS] },
    {
      provide: Providers,
      useFactory: (emails: RegisteredEmail[], texts: RegisteredSms[]) => new Providers(emails, texts),
      inject: [EMAIL_PROVIDERS, SMS_PROVIDERS],
    },
  ],
  exports: [...READERS, Providers, SimulatorProvider],
})
export class ProvidersModule {}
