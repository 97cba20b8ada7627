const LEASE_MS = 15_000;

export const leaseFrom = (now: Date): Date => new Date(now.getTime() + LEASE_MS);
