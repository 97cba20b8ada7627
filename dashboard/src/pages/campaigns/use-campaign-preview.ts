import { useMemo } from 'react';

import { SERVICE_URL } from '../../app/service-url';
import type { Contact } from '../contacts/contact-status';
import { type MailParts, useRendered } from '../templates/use-rendered';

/** Stands for the unsubscribe link of a recipient. */
export const SAMPLE_UNSUBSCRIBE_URL = `${SERVICE_URL}/u/preview`;

/** Renders a campaign as `contact` would get it, or for nobody in particular. `variables` must be stable. */
export function useCampaignPreview(parts: MailParts, variables: Record<string, unknown>, contact: Contact | null) {
  const values = useMemo(
    () => ({ ...variables, ...knownOf(contact), unsubscribeUrl: SAMPLE_UNSUBSCRIBE_URL }),
    [variables, contact],
  );
  return useRendered(parts, values);
}

/** What is not known about a contact is left to the variables. */
function knownOf(contact: Contact | null): Record<string, string> {
  if (!contact) return {};
  const { email, firstName, lastName, company } = contact;
  const known = Object.entries({ email, firstName, lastName, company }).filter(([, value]) => value !== null);
  return Object.fromEntries(known) as Record<string, string>;
}
