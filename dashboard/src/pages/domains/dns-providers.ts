import type { TextId } from '../../texts/text';

export interface DnsProvider {
  id: string;
  /** Null for the entry that stands for all other providers. */
  name: string | null;
  steps: readonly TextId[];
}

/** The steps to the DNS records at common providers, and the form of the name that each expects. */
export const DNS_PROVIDERS: readonly DnsProvider[] = [
  {
    id: 'cloudflare',
    name: 'Cloudflare',
    steps: [
      'domains.provider.cloudflare.1',
      'domains.provider.cloudflare.2',
      'domains.provider.cloudflare.3',
      'domains.provider.cloudflare.4',
    ],
  },
  {
    id: 'route53',
    name: 'Amazon Route 53',
    steps: [
      'domains.provider.route53.1',
      'domains.provider.route53.2',
      'domains.provider.route53.3',
      'domains.provider.route53.4',
    ],
  },
  {
    id: 'godaddy',
    name: 'GoDaddy',
    steps: ['domains.provider.godaddy.1', 'domains.provider.godaddy.2', 'domains.provider.godaddy.3'],
  },
  {
    id: 'namecheap',
    name: 'Namecheap',
    steps: ['domains.provider.namecheap.1', 'domains.provider.namecheap.2', 'domains.provider.namecheap.3'],
  },
  {
    id: 'other',
    name: null,
    steps: ['domains.provider.other.1', 'domains.provider.other.2', 'domains.provider.other.3'],
  },
];
