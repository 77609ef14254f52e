/** How the sessions begin in which `guardkit doctor` plays an agent, to see the hooks refuse. */
export const DOCTOR_SESSION = 'guardkit-doctor-';

/** What happens in such a session is nobody's doing, and nothing is learned from it. */
export function isDoctorSession(session: string): boolean {
  return session.startsWith(DOCTOR_SESSION);
}
