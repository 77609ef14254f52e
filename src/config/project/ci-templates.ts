/** CI systems that `init` writes a workflow for. */
export const CI_TEMPLATES = ['github', 'gitlab'] as const;

export type CiTemplate = (typeof CI_TEMPLATES)[number];

const INSTALL_STEP = `      - name: Install GuardKit outside the checkout
        run: |
          mkdir -p "$RUNNER_TEMP/guardkit"
          cd "$RUNNER_TEMP/guardkit"
          npm install --no-save --no-package-lock --no-audit --no-fund --prefix "$RUNNER_TEMP/guardkit" "$GUARDKIT_PACKAGE"`;

/** Ubuntu 24.04 forbids user namespaces to programs without a profile. */
const APPARMOR_PROFILE =
  'abi <abi/4.0>, include <tunables/global> profile bwrap /usr/bin/bwrap flags=(unconfined) { userns, }';

// `pull_request` gives a branch of a fork no secrets and a token that can only read. GuardKit is installed in a folder of the
// runner, where the .npmrc of the checkout does not count, and before any code of the branch runs.
function githubWorkflow(version: string): string {
  return `# Verifies what a branch claims, by the rules of its base. Written by \`guardkit init --ci github\`.
# Make "guardkit" a required check, and have a person review changes to this file (CODEOWNERS or a ruleset).
name: guardkit
on:
  pull_request:
  merge_group:
permissions:
  contents: read
concurrency:
  group: guardkit-\${{ github.ref }}
  cancel-in-progress: true
jobs:
  guardkit:
    runs-on: ubuntu-24.04
    timeout-minutes: 60
    env:
      # What npm installs; the URL of a tarball or of a git repository also works.
      GUARDKIT_PACKAGE: guardkit@${version}
    steps:
      - uses: actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8 # v5.0.0
        with:
          # The branch itself, not its merge with the target, and the history to find where it began.
          ref: \${{ github.event.pull_request.head.sha || github.sha }}
          fetch-depth: 0
          persist-credentials: false
      - uses: actions/setup-node@49933ea5288caeca8642d1e84afbd3f7d6820020 # v4.4.0
        with:
          node-version: 22
      # Add what the project's commands need, such as actions/setup-python: GuardKit uses the programs on this job's PATH.
      - name: Install the sandbox
        # Without it the branch's code runs with the rights of this job; the report states that.
        continue-on-error: true
        run: |
          sudo apt-get update --quiet
          sudo apt-get install --quiet --yes --no-install-recommends bubblewrap
          echo '${APPARMOR_PROFILE}' | sudo tee /etc/apparmor.d/bwrap > /dev/null
          sudo apparmor_parser --replace /etc/apparmor.d/bwrap
${INSTALL_STEP}
      - name: Verify the branch
        run: |
          "$RUNNER_TEMP/guardkit/node_modules/.bin/guardkit" ci --reports "$RUNNER_TEMP/guardkit-reports"
      - uses: actions/upload-artifact@ea165f8d65b6e75b540449e92b4886f43607fa02 # v4.6.2
        with:
          name: guardkit-results
          path: \${{ runner.temp }}/guardkit-reports/attestations.jsonl
  # Signs the results in a merge queue, if the variable GUARDKIT_SIGN is "yes". It runs no code of the branch and does not even
  # check it out. The key is a secret of the environment, which the job above never gets.
  sign:
    needs: guardkit
    if: github.event_name == 'merge_group' && vars.GUARDKIT_SIGN == 'yes'
    runs-on: ubuntu-24.04
    timeout-minutes: 10
    environment: guardkit-signing
    env:
      # What npm installs; the URL of a tarball or of a git repository also works.
      GUARDKIT_PACKAGE: guardkit@${version}
    steps:
      - uses: actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8 # v5.0.0
        with:
          ref: \${{ github.event.repository.default_branch }}
          fetch-depth: 0
          persist-credentials: false
      - uses: actions/setup-node@49933ea5288caeca8642d1e84afbd3f7d6820020 # v4.4.0
        with:
          node-version: 22
      - uses: actions/download-artifact@d3f86a106a0bac45b974a628896c90dbdf5c8093 # v4.3.0
        with:
          name: guardkit-results
          path: \${{ runner.temp }}/guardkit-results
${INSTALL_STEP}
      - name: Sign the results
        env:
          GUARDKIT_SIGNING_KEY: \${{ secrets.GUARDKIT_SIGNING_KEY }}
        run: |
          git fetch --quiet origin "$GITHUB_SHA"
          "$RUNNER_TEMP/guardkit/node_modules/.bin/guardkit" attest --commit "$GITHUB_SHA" --sign "$RUNNER_TEMP/guardkit-results/attestations.jsonl" > "$RUNNER_TEMP/signed.jsonl"
      - uses: actions/upload-artifact@ea165f8d65b6e75b540449e92b4886f43607fa02 # v4.6.2
        with:
          name: guardkit-attestations
          path: \${{ runner.temp }}/signed.jsonl
`;
}

// The job token is part of the remote's address, and tests can read the settings of git.
function gitlabJob(version: string): string {
  return `# Verifies what a branch claims, by the rules of its base. Written by \`guardkit init --ci gitlab\`.
# Turn on "Pipelines must succeed", and have a person review changes to this file (CODEOWNERS).
guardkit:
  stage: test
  # An image with Node 20 or later and what the project's commands need: GuardKit uses the programs on this job's PATH.
  image: node:22-bookworm
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"
    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH
  variables:
    GIT_DEPTH: "0"
    # What npm installs; the URL of a tarball or of a git repository also works.
    GUARDKIT_PACKAGE: guardkit@${version}
    GUARDKIT_FOLDER: /tmp/guardkit-program
  script:
    - if ! command -v bwrap; then apt-get update --quiet && apt-get install --quiet --yes --no-install-recommends bubblewrap || true; fi
    - git fetch --quiet origin "+refs/heads/\${CI_MERGE_REQUEST_TARGET_BRANCH_NAME:-$CI_DEFAULT_BRANCH}:refs/remotes/origin/\${CI_MERGE_REQUEST_TARGET_BRANCH_NAME:-$CI_DEFAULT_BRANCH}"
    - git remote set-url origin "$CI_PROJECT_URL.git"
    - mkdir -p "$GUARDKIT_FOLDER"
    - (cd "$GUARDKIT_FOLDER" && npm install --no-save --no-package-lock --no-audit --no-fund --prefix "$GUARDKIT_FOLDER" "$GUARDKIT_PACKAGE")
    - '"$GUARDKIT_FOLDER/node_modules/.bin/guardkit" ci --reports guardkit-reports'
  artifacts:
    when: always
    paths: [guardkit-reports]
    reports:
      junit: guardkit-reports/junit.xml
      codequality: guardkit-reports/gl-code-quality-report.json
`;
}

const GITLAB_JOB = '.gitlab/ci/guardkit.yml';

/** The files of a CI system, by path. An existing file is never changed. */
export function ciFiles(system: CiTemplate, version: string): { path: string; text: string }[] {
  if (system === 'github') return [{ path: '.github/workflows/guardkit.yml', text: githubWorkflow(version) }];
  return [
    { path: GITLAB_JOB, text: gitlabJob(version) },
    { path: '.gitlab-ci.yml', text: `include:\n  - local: ${GITLAB_JOB}\n` },
  ];
}
