import { Injectable } from '@nestjs/common';

import type { Channel } from '../../shared/channel.js';
import { Clock } from '../../shared/ports/clock.js';
import { simulate, type Simulation, simulatorMessageId } from './simulation.js';
import { SimulatedReports } from './simulated-reports.js';

/** A submission to the simulator. */
export interface SimulatedMessage {
  id: string;
  accountId: string;
  channel: Channel;
  /** The normalised recipient. */
  recipient: string;
  /** The number of the attempt, from 1. */
  attempt: number;
}

export type SimulatorReply =
  Exclude<Simulation, { kind: 'accepted' }> | { kind: 'accepted'; providerMessageId: string };

/** Replaces a provider. It connects to nothing, and nobody receives the messages that it accepts. */
@Injectable()
export class Simulator {
  constructor(
    private readonly reports: SimulatedReports,
    private readonly clock: Clock,
  ) {}

  /** Stores the reports about a message that it accepts. Submitting the message again changes nothing. */
  async submit({ id, accountId, channel, recipient, attempt }: SimulatedMessage): Promise<SimulatorReply> {
    const simulation = simulate(channel, recipient, attempt);
    if (simulation.kind !== 'accepted') return simulation;
    const now = this.clock.now().getTime();
    await this.reports.add(
      simulation.reports.map(({ report, afterMs }) => {
        return { messageId: id, accountId, channel, report, dueAt: new Date(now + afterMs) };
      }),
    );
    return { kind: 'accepted', providerMessageId: simulatorMessageId(id) };
  }
}
