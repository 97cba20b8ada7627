const LEASE_MS = 15_000;

export const leaseFrom = (now: Date, leaseMs = LEASE_MS): Date => new Date(now.getTime() + leaseMs);
