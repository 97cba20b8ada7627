import { useQueryClient } from '@tanstack/react-query';

import { useAction } from '../../components/use-action';
import type { Campaign } from './campaign-status';

interface Options<In> {
  run: (input: In) => Promise<Campaign>;
  successMessage?: string | ((campaign: Campaign) => string);
  onSuccess?: (campaign: Campaign, input: In) => void;
  isErrorShownInForm?: boolean;
}

/**
 * An action that returns the changed campaign, which the page then shows. If the status does not allow it any more,
 * somebody else has changed the campaign: it is loaded again.
 */
export function useCampaignAction<In = void>({ run, ...options }: Options<In>) {
  const queryClient = useQueryClient();
  return useAction<In, Campaign>({
    ...options,
    run: async (input) => {
      const campaign = await run(input);
      queryClient.setQueryData(['campaigns', campaign.id], campaign);
      return campaign;
    },
    invalidates: [['campaigns']],
    refetchesOnConflict: true,
  });
}
