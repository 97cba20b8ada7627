import type { MetricSamples, ToMember, ToPrimary } from './group-messages.js';

/** A process's access to the metrics of its whole group. Also passes its own metrics to the primary on request. */
export class GroupScrape {
  private waiting: ((text: string) => void)[] = [];

  constructor(private readonly readOwn: () => Promise<MetricSamples[]>) {
    process.on('message', this.receive);
  }

  stop(): void {
    process.off('message', this.receive);
  }

  /** The metrics of all processes, in the text format of Prometheus. */
  text(): Promise<string> {
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      if (this.waiting.length === 1) send({ kind: 'scrape' });
    });
  }

  private readonly receive = (message: ToMember): void => {
    // Without them the primary uses those that it read last.
    if (message.kind === 'read-metrics') this.sendOwn().catch(() => undefined);
    else for (const resolve of this.waiting.splice(0)) resolve(message.text);
  };

  private async sendOwn(): Promise<void> {
    send({ kind: 'metrics', metrics: await this.readOwn() });
  }
}

const send = (message: ToPrimary): void => void process.send?.(message);
