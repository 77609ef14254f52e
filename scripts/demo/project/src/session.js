export const HALF_HOUR = 30 * 60 * 1000;

export function openSession(user, now) {
  return { user, endsAt: now + HALF_HOUR };
}
