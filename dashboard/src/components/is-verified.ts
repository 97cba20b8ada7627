/** Whether a sender or domain is verified: the account may send from it. */
export const isVerified = ({ status }: { status: string }): boolean => status === 'verified';
