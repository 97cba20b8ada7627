import { useMemo } from 'react';

import { SERVICE_URL } from '../../app/service-url';
import type { Contact } from '../contacts/contact-status';
import { type MailParts, useRendered } from '../templates/use-rendered';

/** Replaces the unsubscribe link of a recipient. */
export const SAMPLE_UNSUBSCRIBE_URL = `${SERVICE_URL}/u/preview`;

/** Renders a campaign as `contact` would get it, or for nobody in particular. `variables` must be stable. */
export function useCampaignPreview(parts: MailParts, variables: Record<string, unknown>, contact: Contact | null) {
  const values = useMemo(
    () => ({
      ...variables,
      ...knownOf(contact, variables),
      unsubscribeUrl: SAMPLE_UNSUBSCRIBE_URL,
      preferencesUrl: SAMPLE_UNSUBSCRIBE_URL,
    }),
    [variables, contact],
  );
  return useRendered(parts, values);
}

/** The known fields of the contact. The variables supply the others. */
function knownOf(contact: Contact | null, variables: Record<string, unknown>): Record<string, unknown> {
  if (!contact) return {};
  const { email, firstName, lastName, company } = contact;
  const known = Object.entries({ email, firstName, lastName, company }).filter(([, value]) => value !== null);
  const attributes = Object.entries(contact.attributes).filter(([, value]) => value !== '');
  if (attributes.length === 0) return Object.fromEntries(known);
  const others = isObject(variables.attributes) ? variables.attributes : {};
  return { ...Object.fromEntries(known), attributes: { ...others, ...Object.fromEntries(attributes) } };
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
