import { Injectable } from '@nestjs/common';

import { MAX_RELAYS } from '../../config/limits.js';
import type { SmtpRelay } from '../../shared/smtp-relay.js';
import { ClientsBySettings } from '../clients-by-settings.js';
import { RelayConnection } from './relay-connection.js';
import { RelayConnections } from './relay-connections.js';

/** The connections of this process to each relay in use. */
@Injectable()
export class SmtpRelays extends ClientsBySettings<SmtpRelay, RelayConnections> {
  constructor() {
    super({
      open: (relay) => new RelayConnections(relay),
      close: (connections) => {
        connections.close();
      },
      max: MAX_RELAYS,
    });
  }

  /** Connects to the relay and logs in; throws what nodemailer throws. */
  async verify(relay: SmtpRelay): Promise<void> {
    (await RelayConnection.open(relay)).close();
  }
}
