export interface DnsProvider {
  name: string;
  steps: readonly string[];
}

/** Where the common providers hide their DNS records, and what they expect in the field for the name. */
export const DNS_PROVIDERS: readonly DnsProvider[] = [
  {
    name: 'Cloudflare',
    steps: [
      'Open the domain in the dashboard and choose DNS, then Records.',
      'Choose “Add record” for each record, and enter the short name.',
      'Set the proxy status of CNAME records to “DNS only”.',
      'Or import all at once: choose “Import and Export” and upload the zone file.',
    ],
  },
  {
    name: 'Amazon Route 53',
    steps: [
      'Open “Hosted zones” and choose the domain.',
      'Choose “Create record” for each record, and enter the short name; leave it empty for @.',
      'Put TXT values in double quotes, and split those over 255 characters into several quoted parts, as the zone file does.',
      'For MX records, enter priority and value in one line.',
    ],
  },
  {
    name: 'GoDaddy',
    steps: [
      'Open “My Products”, choose the domain, then DNS.',
      'Choose “Add New Record” for each record, and enter the short name.',
      'If the domain has an SPF record already, edit that one instead of adding another.',
    ],
  },
  {
    name: 'Namecheap',
    steps: [
      'Open “Domain List”, choose “Manage”, then “Advanced DNS”.',
      'Choose “Add New Record” for each record, and enter the short name as “Host”.',
      'MX records are under “Mail Settings”: choose “Custom MX”.',
    ],
  },
  {
    name: 'Another provider',
    steps: [
      'Find the DNS records of the registered domain, often called “DNS”, “Zone editor” or “Name servers”.',
      'Enter the short name. If the panel shows the full name after you save and the domain appears twice, enter less of it; if it refuses the short name, enter the full one.',
      'If the domain has an SPF record already, add the new mechanism to it: there may be only one.',
    ],
  },
];
