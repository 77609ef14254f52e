declare const __GUARDKIT_VERSION__: string;
declare const __GUARDKIT_BUILD__: string;

/** Put in by the build from package.json. */
export const VERSION = __GUARDKIT_VERSION__;

/** Identifies the sources of this build. Two builds of one version may read test results differently. */
export const BUILD = __GUARDKIT_BUILD__;
