/** What a finding says where DNS said nothing. */
export const noAnswer = (name: string, trouble: string): string => `DNS did not answer: ${trouble} (${name})`;
