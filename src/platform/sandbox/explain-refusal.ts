/** Settings of the kernel as they read, undefined where there are none. */
export interface NamespaceSettings {
  /** kernel.unprivileged_userns_clone, of Debian's kernels. */
  unprivilegedClone?: string;
  /** kernel.apparmor_restrict_unprivileged_userns, of Ubuntu's. */
  appArmorRestricts?: string;
  /** user.max_user_namespaces. */
  maxUserNamespaces?: string;
}

export interface Refusal {
  why: string;
  hint: string;
}

/** Why bubblewrap is there and cannot be used, and what would allow it. */
export function explainRefusal(said: string, settings: NamespaceSettings): Refusal {
  const words = said.trim() || 'it gave no reason';
  if (/Unknown option/i.test(words))
    return { why: `bubblewrap is too old: ${words}`, hint: 'Install bubblewrap 0.5 or newer.' };
  if (!/namespace|uid map|Operation not permitted|Permission denied|No space left/i.test(words))
    return {
      why: `bubblewrap does not work here: ${words}`,
      hint: 'Run bwrap by hand to see what it needs.',
    };
  const why = (reason: string) => `${reason}: ${words}`;
  if (settings.maxUserNamespaces === '0')
    return {
      why: why('user namespaces are switched off (user.max_user_namespaces is 0)'),
      hint: 'Allow them: sudo sysctl -w user.max_user_namespaces=10000',
    };
  if (settings.unprivilegedClone === '0')
    return {
      why: why('user namespaces are for root only (kernel.unprivileged_userns_clone is 0)'),
      hint: 'Allow them: sudo sysctl -w kernel.unprivileged_userns_clone=1',
    };
  if (settings.appArmorRestricts === '1')
    return {
      why: why(
        'AppArmor forbids user namespaces to programs without a profile ' +
          '(kernel.apparmor_restrict_unprivileged_userns is 1)',
      ),
      hint:
        'Give bwrap a profile that allows them: put "abi <abi/4.0>, include <tunables/global> profile bwrap ' +
        '/usr/bin/bwrap flags=(unconfined) { userns, }" into /etc/apparmor.d/bwrap and run ' +
        'sudo apparmor_parser -r /etc/apparmor.d/bwrap',
    };
  return {
    why: why('the system forbids the namespaces that the sandbox is made of'),
    hint:
      'Inside a container, allow it to make namespaces (for Docker: --security-opt seccomp=unconfined ' +
      '--security-opt systempaths=unconfined), or run GuardKit outside of it.',
  };
}
