declare const __GUARDKIT_VERSION__: string;

/** Put in by the build from package.json. */
export const VERSION = __GUARDKIT_VERSION__;
